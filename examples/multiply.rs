// The same product from Rust, over the C interface: rustc multiply.rs -L FOLDER_OF_LIBROWAN -l rowan
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr::{null, null_mut};

/// rowan_view of <rowan/rowan.h>.
#[repr(C)]
struct View {
    rows: i64,
    cols: i64,
    nnz: i64,
    row_ptr32: *const i32,
    row_ptr64: *const i64,
    col32: *const i32,
    col64: *const i64,
    val: *const c_void,
    value_type: c_int, // 0: f64
    transposed: c_int,
}

#[link(name = "rowan")]
extern "C" {
    fn rowan_last_error() -> *const c_char;
    fn rowan_context_create(options: *const c_void, context: *mut *mut c_void) -> c_int;
    fn rowan_context_free(context: *mut c_void);
    fn rowan_multiply(
        context: *const c_void, a: *const View, b: *const View, c: *mut *mut c_void, stats: *mut c_void,
    ) -> c_int;
    fn rowan_matrix_view(matrix: *const c_void, view: *mut View) -> c_int;
    fn rowan_matrix_free(matrix: *mut c_void);
}

fn checked(status: c_int) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    Err(unsafe { CStr::from_ptr(rowan_last_error()) }.to_string_lossy().into_owned())
}

fn empty() -> View {
    View {
        rows: 0, cols: 0, nnz: 0, row_ptr32: null(), row_ptr64: null(), col32: null(), col64: null(), val: null(),
        value_type: 0, transposed: 0,
    }
}

fn main() -> Result<(), String> {
    let row_ptr: [i32; 6] = [0, 2, 5, 8, 11, 13];
    let col: [i32; 13] = [0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4];
    let val: [f64; 13] = [2., -1., -1., 2., -1., -1., 2., -1., -1., 2., -1., -1., 2.];
    let a = View {
        rows: 5, cols: 5, nnz: 13, row_ptr32: row_ptr.as_ptr(), col32: col.as_ptr(), val: val.as_ptr().cast(), ..empty()
    };
    let (mut context, mut c, mut product) = (null_mut(), null_mut(), empty());
    unsafe {
        checked(rowan_context_create(null(), &mut context))?;
        checked(rowan_multiply(context, &a, &a, &mut c, null_mut()))?;
        checked(rowan_matrix_view(c, &mut product))?;
        print!("C = A.A has {} entries; row 2:", product.nnz);
        for k in *product.row_ptr64.add(2)..*product.row_ptr64.add(3) {
            print!(" ({}: {})", *product.col32.add(k as usize), *product.val.cast::<f64>().add(k as usize));
        }
        println!();
        rowan_matrix_free(c);
        rowan_context_free(context);
    }
    Ok(())
}
