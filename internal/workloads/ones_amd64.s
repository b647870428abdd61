//go:build !purego

#include "textflag.h"

// func streamOnes(b []byte)
TEXT ·streamOnes(SB), NOSPLIT, $0-24
	MOVQ   b_base+0(FP), DI
	MOVQ   b_len+8(FP), CX
	MOVQ   $0x0101010101010101, AX
	MOVQ   AX, X0
	PSHUFD $0x44, X0, X0
	ADDQ   DI, CX

line:
	CMPQ   DI, CX
	JAE    done
	MOVNTO X0, (DI)
	MOVNTO X0, 16(DI)
	MOVNTO X0, 32(DI)
	MOVNTO X0, 48(DI)
	ADDQ   $64, DI
	JMP    line

done:
	SFENCE
	RET
