// The variant of the library that a program papers_VARIANT is linked with, by name: the rest of it is compiled once.
#define ROWAN_NAME_OF(variant) #variant
#define ROWAN_NAME(variant) ROWAN_NAME_OF(variant)

extern const char* const papers_variant;
const char* const papers_variant = ROWAN_NAME(ROWAN_VARIANT);
