! The same product from Fortran.
program multiply
  use, intrinsic :: iso_c_binding
  use rowan
  implicit none
  integer(c_int32_t), target :: row_ptr(6) = [0, 2, 5, 8, 11, 13]
  integer(c_int32_t), target :: col(13) = [0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4]
  real(c_double), target :: val(13) = [2, -1, -1, 2, -1, -1, 2, -1, -1, 2, -1, -1, 2]
  type(rowan_view) :: a, product
  type(c_ptr) :: context, c
  integer(c_int64_t), pointer :: ptr(:)
  real(c_double), pointer :: values(:)

  a = rowan_csr(5_c_int64_t, row_ptr, col, val)
  if (rowan_context_create(c_null_ptr, context) /= 0) error stop "no context"
  if (rowan_multiply(context, a, a, c, c_null_ptr) /= 0) then
    print *, rowan_message()
    error stop 1
  end if
  if (rowan_matrix_view(c, product) /= 0) error stop 1
  call c_f_pointer(product%row_ptr64, ptr, [product%rows + 1])
  call c_f_pointer(product%val, values, [product%nnz])
  print '(a, i0, a, *(1x, f0.0))', "C = A.A has ", product%nnz, " entries; row 2:", values(ptr(3) + 1:ptr(4))
  call rowan_matrix_free(c)
  a%rows = 4
  if (rowan_multiply(context, a, a, c, c_null_ptr) == 0) error stop "a broken matrix was multiplied"
  print '(a)', rowan_message()
  call rowan_context_free(context)
end program
