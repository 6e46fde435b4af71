import type { Address, Hex } from 'viem'

/** Values of the examples, in the case in which callers send them. */
export const exampleTaskId: Hex = `0x${'9f'.repeat(32)}`
export const exampleWorker: Address = '0xA1a1A1A1A1a1A1A1a1A1A1A1a1A1A1A1a1a1a1A1'
export const exampleOtherWorker: Address = `0x${'b2'.repeat(20)}`
export const exampleSubmissionId: Hex = `0x${'e1'.repeat(32)}`
export const exampleSignature: Hex = `0x${'5c'.repeat(64)}1b`
export const exampleSalt: Hex = `0x${'5a'.repeat(32)}`
