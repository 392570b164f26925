#ifndef ROWAN_PETSC_H
#define ROWAN_PETSC_H
/** \file
 * rowan under PETSc's matrix products, for programs that link librowan_petsc.so. A program that does not know of rowan
 * loads it instead, with PETSC_OPTIONS="-dll_append librowan_petsc.so": PETSc then calls this function itself. */
#include <petscsys.h>

/* PETSc derives the name from the file's, and librowan_petsc64.so is for 64-bit PetscInt. */
#ifdef PETSC_USE_64BIT_INDICES
#define PetscDLLibraryRegister_rowan_petsc PetscDLLibraryRegister_rowan_petsc64
#endif

/** Matrices of types seqaij and mpiaij that are made from now on multiply with rowan. Call it after PetscInitialize();
 * collective over PETSC_COMM_WORLD; a second call does nothing. Fails with PETSC_ERR_SUP_SYS where this PETSc is of another
 * version, scalar or integer than the library was built for. Options: docs/distributed.md. */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_rowan_petsc(void);

#endif
