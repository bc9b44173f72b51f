/* The self-test of a device's kernel is ions_program's: kernels.h. */
#ifndef SONDE_IONS_HISTORIES_SELF_TEST_H
#define SONDE_IONS_HISTORIES_SELF_TEST_H

/* Finds what the self-test expects of GPUs, which takes a core about 0.1 s, in advance: while they are starting. */
void ions_self_test_prepare(void);

#endif
