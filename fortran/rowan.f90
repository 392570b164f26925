! rowan for Fortran 2003: <rowan/rowan.h> by iso_c_binding. Compile it with your program and link librowan. Row pointers and
! columns count from 0, as in C; rowan_message() has what went wrong when a function does not return 0.
module rowan
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: rowan_view, rowan_csr, rowan_context_create, rowan_context_free, rowan_multiply, rowan_matrix_view
  public :: rowan_matrix_free, rowan_generate, rowan_read, rowan_write, rowan_plan_create, rowan_plan_execute
  public :: rowan_plan_free, rowan_galerkin, rowan_message, rowan_float64, rowan_float32

  integer(c_int), parameter :: rowan_float64 = 0, rowan_float32 = 1

  !> A matrix in memory of the caller.
  type, bind(c) :: rowan_view
    integer(c_int64_t) :: rows = 0, cols = 0, nnz = 0
    type(c_ptr) :: row_ptr32 = c_null_ptr, row_ptr64 = c_null_ptr
    type(c_ptr) :: col32 = c_null_ptr, col64 = c_null_ptr
    type(c_ptr) :: val = c_null_ptr
    integer(c_int) :: type = rowan_float64
    integer(c_int) :: transposed = 0
  end type

  interface
    integer(c_int) function rowan_context_create(options, context) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: context
    end function
    subroutine rowan_context_free(context) bind(c)
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine
    integer(c_int) function rowan_multiply(context, a, b, c, stats) bind(c)
      import :: c_int, c_ptr, rowan_view
      type(c_ptr), value :: context
      type(rowan_view), intent(in) :: a, b
      type(c_ptr), intent(out) :: c
      type(c_ptr), value :: stats
    end function
    integer(c_int) function rowan_galerkin(context, r, a, p, c) bind(c)
      import :: c_int, c_ptr, rowan_view
      type(c_ptr), value :: context, r
      type(rowan_view), intent(in) :: a, p
      type(c_ptr), intent(out) :: c
    end function
    integer(c_int) function rowan_matrix_view(matrix, view) bind(c)
      import :: c_int, c_ptr, rowan_view
      type(c_ptr), value :: matrix
      type(rowan_view), intent(out) :: view
    end function
    subroutine rowan_matrix_free(matrix) bind(c)
      import :: c_ptr
      type(c_ptr), value :: matrix
    end subroutine
    integer(c_int) function rowan_plan_create(context, a, b, plan, c) bind(c)
      import :: c_int, c_ptr, rowan_view
      type(c_ptr), value :: context
      type(rowan_view), intent(in) :: a, b
      type(c_ptr), intent(out) :: plan
      type(c_ptr), value :: c
    end function
    integer(c_int) function rowan_plan_execute(plan, a, b, val, nnz) bind(c)
      import :: c_int, c_ptr, c_int64_t, rowan_view
      type(c_ptr), value :: plan, val
      type(rowan_view), intent(in) :: a, b
      integer(c_int64_t), value :: nnz
    end function
    subroutine rowan_plan_free(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int) function generate_c(spec, matrix) bind(c, name="rowan_generate")
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: spec(*)
      type(c_ptr), intent(out) :: matrix
    end function
    integer(c_int) function read_c(path, matrix) bind(c, name="rowan_read")
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: matrix
    end function
    integer(c_int) function write_c(path, matrix) bind(c, name="rowan_write")
      import :: c_int, c_char, rowan_view
      character(kind=c_char), intent(in) :: path(*)
      type(rowan_view), intent(in) :: matrix
    end function
    type(c_ptr) function last_error_c() bind(c, name="rowan_last_error")
      import :: c_ptr
    end function
    integer(c_size_t) function strlen(text) bind(c)
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  !> A view of arrays, which must be targets and outlive it; columns are numbered from 0.
  function rowan_csr(cols, row_ptr, col, val) result(view)
    integer(c_int64_t), intent(in) :: cols
    integer(c_int32_t), intent(in), target, contiguous :: row_ptr(:), col(:)
    real(c_double), intent(in), target, contiguous :: val(:)
    type(rowan_view) :: view
    view%rows = size(row_ptr) - 1
    view%cols = cols
    view%nnz = size(col)
    view%row_ptr32 = c_loc(row_ptr)
    view%col32 = c_loc(col)
    view%val = c_loc(val)
  end function

  integer(c_int) function rowan_generate(spec, matrix)
    character(*), intent(in) :: spec
    type(c_ptr), intent(out) :: matrix
    rowan_generate = generate_c(spec // c_null_char, matrix)
  end function

  integer(c_int) function rowan_read(path, matrix)
    character(*), intent(in) :: path
    type(c_ptr), intent(out) :: matrix
    rowan_read = read_c(path // c_null_char, matrix)
  end function

  integer(c_int) function rowan_write(path, matrix)
    character(*), intent(in) :: path
    type(rowan_view), intent(in) :: matrix
    rowan_write = write_c(path // c_null_char, matrix)
  end function

  !> What the last call of this thread that failed ran into.
  function rowan_message() result(text)
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: k
    type(c_ptr) :: from
    from = last_error_c()
    call c_f_pointer(from, letters, [strlen(from)])
    allocate (character(size(letters)) :: text)
    do k = 1, size(letters)
      text(k:k) = letters(k)
    end do
  end function

end module
