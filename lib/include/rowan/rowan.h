#ifndef ROWAN_ROWAN_H
#define ROWAN_ROWAN_H
/**
 * \file
 * rowan for C99 and whatever calls C. Several threads may call anything here together, but no object may be
 * freed while another thread uses it. No call throws or aborts: each returns a status, and the message is in
 * rowan_last_error(). Objects that a failed call would have made are NULL. The C++ interface (<rowan/rowan.hpp>) says
 * more of what each call does.
 */

/* NOLINTBEGIN(modernize-*): C */
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ROWAN_C_API __attribute__((visibility("default")))
#else
#define ROWAN_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call returns: 0, or what went wrong. */
typedef enum rowan_status {
  ROWAN_OK = 0,
  ROWAN_INVALID_ARGUMENT = 1, /**< a matrix, option or name that breaks its contract, or NULL where it may not be */
  ROWAN_OVERFLOW = 2,         /**< a size that does not fit the type that has to hold it */
  ROWAN_OUT_OF_MEMORY = 3,    /**< the system has no more memory */
  ROWAN_MEMORY_LIMIT = 4,     /**< more memory than rowan_options.memory_limit allows */
  ROWAN_PARSE = 5,            /**< a file whose content breaks its format */
  ROWAN_IO = 6,               /**< a file that cannot be opened, read or written */
  ROWAN_UNSUPPORTED = 7,      /**< something valid that this build or version cannot do */
  ROWAN_CANCELLED = 8,        /**< the caller asked to stop */
  ROWAN_DEVICE = 9,           /**< a device or its runtime failed */
  ROWAN_OTHER = 10            /**< an exception of the caller's own callback, or one that rowan does not know */
} rowan_status;

/** "invalid_argument" and so on. */
ROWAN_C_API const char* rowan_status_name(rowan_status status);
/** What went wrong in the calling thread's last call that did not return ROWAN_OK; valid until its next call. */
ROWAN_C_API const char* rowan_last_error(void);
/** The library's version, "0.2.0". */
ROWAN_C_API const char* rowan_version(void);
/** Gives memory that is kept for later results back to the system. */
ROWAN_C_API void rowan_release_memory(void);

/* ---- matrices */

typedef enum rowan_type { ROWAN_FLOAT64 = 0, ROWAN_FLOAT32 = 1 } rowan_type;

/**
 * A matrix in compressed sparse rows in memory of the caller, or of an object of rowan's that says so. One of the two
 * row pointers is set, and one of the two columns; 64-bit columns are taken by rowan_multiply and on devices only. Rows
 * need not be sorted; duplicate entries count as their sum. A view of all zeros is a matrix of no rows and no columns.
 */
typedef struct rowan_view {
  int64_t rows; /**< stored, before `transposed` */
  int64_t cols; /**< stored, before `transposed` */
  int64_t nnz;
  const int32_t* row_ptr32; /**< rows + 1, or NULL */
  const int64_t* row_ptr64; /**< rows + 1, or NULL */
  const int32_t* col32;     /**< nnz, each in [0, cols), or NULL */
  const int64_t* col64;     /**< nnz, each in [0, cols), or NULL */
  const void* val;          /**< nnz values of `type`; NULL: a pattern without values */
  rowan_type type;
  int transposed; /**< not 0: the view is the transpose of what is stored */
} rowan_view;

/** A matrix that owns its memory. */
typedef struct rowan_matrix rowan_matrix;

/** Reads a matrix: Matrix Market, binary CSR or rowan's own form, plain or gzip; "-" is standard input. */
ROWAN_C_API rowan_status rowan_read(const char* path, rowan_matrix** matrix);
/** Writes a matrix of 64-bit values; the name's end gives the format, "-" is standard output. Whole or not at all. */
ROWAN_C_API rowan_status rowan_write(const char* path, const rowan_view* matrix);
/** Makes "KIND" or "KIND:name=value,name=value", for example "rmat:scale=16,seed=3". */
ROWAN_C_API rowan_status rowan_generate(const char* spec, rowan_matrix** matrix);
/** Its arrays, valid until it is freed. */
ROWAN_C_API rowan_status rowan_matrix_view(const rowan_matrix* matrix, rowan_view* view);
/** Its values, to be changed; NULL for a pattern. */
ROWAN_C_API void* rowan_matrix_values(rowan_matrix* matrix);
/** Frees a matrix; NULL is fine. */
ROWAN_C_API void rowan_matrix_free(rowan_matrix* matrix);

/* ---- options */

/** Where products are made. */
typedef enum rowan_backend {
  ROWAN_BACKEND_AUTOMATIC = 0,
  ROWAN_BACKEND_HOST = 1,
  ROWAN_BACKEND_CUDA = 2,
  ROWAN_BACKEND_HIP = 3,
  ROWAN_BACKEND_EMULATED = 4
} rowan_backend;

/** Set by rowan_options_init to what rowan does by itself; then change what you like. */
typedef struct rowan_options {
  size_t size; /**< of this struct as the caller was compiled, which later versions may have longer */
  rowan_backend backend;
  int threads;          /**< at most; 0: what the machine offers */
  const char* policy;   /**< a compiled-in policy by name, or NULL */
  const char* model;    /**< a policy file, or its text ("{..."), or NULL: the file named by ROWAN_MODEL, if any */
  const char* force;    /**< one accumulator for all rows that it can take, or NULL */
  int deterministic;    /**< not 0: the host's bits on devices, too */
  int64_t memory_limit; /**< bytes for C and all temporaries; 0: the machine's memory */
  int validate;         /**< not 0: check A and what it meets of B first; 0: a broken matrix is undefined behaviour */
  /** Called with the share of the work done, from one thread at a time; returns 0 to go on, anything else to cancel.
   *  May be NULL. */
  int (*progress)(double done, void* user);
  void* user;          /**< given to `progress` */
  const int* devices;  /**< of the backend, that share a product of matrices in the host's memory, by number */
  size_t device_count; /**< how many `devices` are named; 0: the first device */
  int unsorted;        /**< not 0: rowan_multiply on a host may leave columns of a row of C in any order, faster */
} rowan_options;

ROWAN_C_API void rowan_options_init(rowan_options* options);

/** Options and a policy, and a device where the options name one. */
typedef struct rowan_context rowan_context;

/** `options` may be NULL: as rowan_options_init sets them. They are copied. */
ROWAN_C_API rowan_status rowan_context_create(const rowan_options* options, rowan_context** context);
/** From any thread: calls that are under way in this context, and later ones, end with ROWAN_CANCELLED. */
ROWAN_C_API void rowan_context_cancel(rowan_context* context);
ROWAN_C_API void rowan_context_free(rowan_context* context);

/* ---- products */

/** Times in seconds, and what was done. */
typedef struct rowan_stats {
  size_t size; /**< of this struct as the caller was compiled; to be set before a call */
  double prepare, features, binning, deciding, symbolic, numeric, transfer, total;
  int two_phase;     /**< a symbolic phase counted first */
  int sampled;       /**< no row was measured */
  int small_product; /**< nothing was measured or chosen */
  int threads;
  int64_t nprod, nnz, bytes_c, bytes_temporary;
  char policy[64];
  char device[64]; /**< empty: the host */
} rowan_stats;

/**
 * C = A B, columns of each row rising, no duplicates. Every entry is the sum, from +0, of its products in the order of
 * A's entries: the same bits for every choice and number of threads; on a device in any order unless `deterministic`.
 * A and B are of one type and have columns of one width, which C has, too. `stats` may be NULL.
 */
ROWAN_C_API rowan_status rowan_multiply(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                        rowan_matrix** c, rowan_stats* stats);
/** C = alpha A B + beta E. */
ROWAN_C_API rowan_status rowan_multiply_add(const rowan_context* context, double alpha, const rowan_view* a,
                                            const rowan_view* b, double beta, const rowan_view* e, rowan_matrix** c,
                                            rowan_stats* stats);
/** C = R A P; where `r` is NULL, C = transpose(P) A P. */
ROWAN_C_API rowan_status rowan_galerkin(const rowan_context* context, const rowan_view* r, const rowan_view* a,
                                        const rowan_view* p, rowan_matrix** c);
/** C's row pointers and columns, without values; those of A and B are not read. */
ROWAN_C_API rowan_status rowan_pattern(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                       rowan_matrix** c);

/** How large a product is. */
typedef struct rowan_sizes rowan_sizes;

ROWAN_C_API rowan_status rowan_symbolic(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                        rowan_sizes** sizes);
ROWAN_C_API int64_t rowan_sizes_rows(const rowan_sizes* sizes);
ROWAN_C_API int64_t rowan_sizes_nnz(const rowan_sizes* sizes);
ROWAN_C_API int64_t rowan_sizes_nprod(const rowan_sizes* sizes);
/** C's row pointers, rows + 1; valid until the sizes are freed. */
ROWAN_C_API const int64_t* rowan_sizes_row_ptr(const rowan_sizes* sizes);
ROWAN_C_API void rowan_sizes_free(rowan_sizes* sizes);
/** C's columns and values into memory of the caller: nnz of each, where `sizes` is of the same A and B. */
ROWAN_C_API rowan_status rowan_multiply_into(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                             const rowan_sizes* sizes, int32_t* col, void* val, rowan_stats* stats);

/** Where memory for a result comes from. */
typedef struct rowan_allocator {
  void* (*allocate)(size_t bytes, void* user); /**< NULL where there is none */
  void (*free)(void* memory, void* user);      /**< only called for arrays of a call that fails */
  void* user;
} rowan_allocator;

/** A result in the caller's memory, three arrays that the caller frees. */
typedef struct rowan_arrays {
  int64_t rows, cols, nnz;
  void* row_ptr; /**< rows + 1 numbers of `row_ptr_bits` */
  int32_t* col;
  void* val;
} rowan_arrays;

/** C = A B in memory of the caller's allocator, counted first; row_ptr_bits is 32 or 64. Nothing is copied. */
ROWAN_C_API rowan_status rowan_multiply_with(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                             const rowan_allocator* allocator, int row_ptr_bits, rowan_arrays* c,
                                             rowan_stats* stats);

/* ---- the same patterns again */

typedef struct rowan_plan rowan_plan;

/** What does not depend on values. `c`, which may be NULL, becomes the first product, at little more cost. */
ROWAN_C_API rowan_status rowan_plan_create(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                           rowan_plan** plan, rowan_matrix** c);
/** C's values for other values of A and B: nnz of them, in the order of the plan's pattern. */
ROWAN_C_API rowan_status rowan_plan_execute(const rowan_plan* plan, const rowan_view* a, const rowan_view* b, void* val,
                                            int64_t nnz);
/** C's pattern, a view without values; valid until the plan is freed. */
ROWAN_C_API rowan_status rowan_plan_view(const rowan_plan* plan, rowan_view* view);
ROWAN_C_API void rowan_plan_free(rowan_plan* plan);

/* ---- which accumulator every row got, and why */

typedef struct rowan_inspection rowan_inspection;

/** Rows that share a decision. Texts are valid until the inspection is freed. */
typedef struct rowan_bin {
  const char* label;
  const char* accumulator; /**< the family: hash, dense, direct or sort */
  const char* candidate;   /**< its variant */
  const char* requested;   /**< of the policy; differs where that was not feasible */
  const char* why;         /**< the comparisons that led there, separated by "; " */
  int64_t rows, nprod, nnz;
} rowan_bin;

/** One row of C. */
typedef struct rowan_row {
  int64_t row;
  int bin;
  int64_t a_nnz, nprod, nnz, span, b_row_max;
} rowan_row;

ROWAN_C_API rowan_status rowan_inspect(const rowan_context* context, const rowan_view* a, const rowan_view* b,
                                       int measure, rowan_inspection** inspection);
ROWAN_C_API const char* rowan_inspection_policy(const rowan_inspection* inspection);
ROWAN_C_API int64_t rowan_inspection_rows(const rowan_inspection* inspection);
ROWAN_C_API int64_t rowan_inspection_bins(const rowan_inspection* inspection);
ROWAN_C_API rowan_status rowan_inspection_row(const rowan_inspection* inspection, int64_t index, rowan_row* row);
ROWAN_C_API rowan_status rowan_inspection_bin(const rowan_inspection* inspection, int64_t index, rowan_bin* bin);
ROWAN_C_API void rowan_inspection_free(rowan_inspection* inspection);

ROWAN_C_API const char* rowan_inspection_device(const rowan_inspection* inspection); /**< empty: the host */
/** Of ROWAN_BACKEND_AUTOMATIC, where there is a device: the times predicted; else empty. */
ROWAN_C_API const char* rowan_inspection_place_reason(const rowan_inspection* inspection);

/* ---- matrices in the memory of a GPU */

/** A device under options and a policy. Several threads may call together, each in a stream of its own. */
typedef struct rowan_device rowan_device;

/** Memory for results and temporaries, in the order of a stream, in place of rowan's own pool. */
typedef struct rowan_device_allocator {
  void* (*allocate)(size_t bytes, void* stream, void* user); /**< NULL where there is none */
  void (*free)(void* memory, size_t bytes, void* stream, void* user);
  void* user;
} rowan_device_allocator;

/** How a call on a device is made. NULL: the default stream, 64-bit row pointers, 32-bit columns. */
typedef struct rowan_device_call {
  size_t size;   /**< of this struct as the caller was compiled */
  void* stream;  /**< cudaStream_t or hipStream_t; NULL: the default stream */
  int row_ptr32; /**< not 0: C's row pointers in 32 bits; ROWAN_OVERFLOW where its entries do not fit */
  int col64;     /**< not 0: C's columns in 64 bits */
} rowan_device_call;

/** `options->backend` is CUDA, HIP or emulated; `ordinal` counts its devices from 0; `allocator` may be NULL, and is
 *  copied. */
ROWAN_C_API rowan_status rowan_device_create(const rowan_options* options, int ordinal,
                                             const rowan_device_allocator* allocator, rowan_device** device);
/** Its matrices and plans keep what they need of it. */
ROWAN_C_API void rowan_device_free(rowan_device* device);
/** Waits for all that is in a stream. */
ROWAN_C_API rowan_status rowan_device_wait(const rowan_device* device, void* stream);
/** Bytes of device memory that are in use, those of matrices that it returned among them. */
ROWAN_C_API int64_t rowan_device_bytes_in_use(const rowan_device* device);
/** Gives memory that is kept for later calls back to the device. Waits for it. */
ROWAN_C_API rowan_status rowan_device_trim(const rowan_device* device);

/** A matrix that owns device memory, which goes back in the order of the stream that it was made in. */
typedef struct rowan_device_matrix rowan_device_matrix;

/** Its arrays, in device memory, valid until it is freed and its stream has come there. */
ROWAN_C_API rowan_status rowan_device_matrix_view(const rowan_device_matrix* matrix, rowan_view* view);
ROWAN_C_API void rowan_device_matrix_free(rowan_device_matrix* matrix);

/** A copy of a matrix of the host's in device memory, and one back; both wait. */
ROWAN_C_API rowan_status rowan_device_send(const rowan_device* device, const rowan_view* matrix,
                                           const rowan_device_call* call, rowan_device_matrix** there);
ROWAN_C_API rowan_status rowan_device_fetch(const rowan_device* device, const rowan_view* there,
                                            const rowan_device_call* call, rowan_matrix** matrix);

/** C = A B on the device, of views whose arrays are there (not `transposed`). Returns when its work is in the stream.
 */
ROWAN_C_API rowan_status rowan_device_multiply(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                               const rowan_device_call* call, rowan_device_matrix** c,
                                               rowan_stats* stats);
/** The size of C and of each of its rows, on the host. */
ROWAN_C_API rowan_status rowan_device_symbolic(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                               const rowan_device_call* call, rowan_sizes** sizes);
ROWAN_C_API rowan_status rowan_device_inspect(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                              const rowan_device_call* call, rowan_inspection** inspection);

/** What does not depend on values, on a device. */
typedef struct rowan_device_plan rowan_device_plan;

ROWAN_C_API rowan_status rowan_device_plan_create(const rowan_device* device, const rowan_view* a, const rowan_view* b,
                                                  const rowan_device_call* call, rowan_device_plan** plan);
/** C for other values of A and B; all results share the plan's pattern. */
ROWAN_C_API rowan_status rowan_device_plan_execute(const rowan_device_plan* plan, const rowan_view* a,
                                                   const rowan_view* b, const rowan_device_call* call,
                                                   rowan_device_matrix** c);
/** The same into `nnz` values of the caller's device memory. */
ROWAN_C_API rowan_status rowan_device_plan_execute_into(const rowan_device_plan* plan, const rowan_view* a,
                                                        const rowan_view* b, const rowan_device_call* call, void* val,
                                                        int64_t nnz);
/** C's pattern in device memory, a view without values; valid until the plan is freed. */
ROWAN_C_API rowan_status rowan_device_plan_view(const rowan_device_plan* plan, rowan_view* view);
ROWAN_C_API void rowan_device_plan_free(rowan_device_plan* plan);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */

#endif
