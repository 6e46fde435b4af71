import type { Evidence } from './evidence.ts'
import { checkAnswers } from './invariants/answers.ts'
import { checkCharges } from './invariants/charges.ts'
import { checkEffects } from './invariants/effects.ts'
import { checkEscrow } from './invariants/escrow.ts'
import { checkFiles } from './invariants/files.ts'
import { checkForeignGas } from './invariants/foreign-gas.ts'
import { checkForwarder } from './invariants/forwarder.ts'
import { checkIntents } from './invariants/intents.ts'
import { checkNonceSequences } from './invariants/nonce-sequences.ts'
import { checkReads } from './invariants/reads.ts'
import { checkNoLate402, checkNoServerError, checkReasons } from './invariants/statuses.ts'
import { checkUnexpectedExits } from './invariants/unexpected-exits.ts'
import type { Invariant, Violation } from './violation.ts'

/** What must hold once no write is unfinished. */
const invariants: readonly Invariant[] = [
  checkEscrow,
  checkForwarder,
  checkEffects,
  checkIntents,
  checkAnswers,
  checkNoLate402,
  checkNoServerError,
  checkReasons,
  checkReads,
  checkNonceSequences,
  checkCharges,
  checkForeignGas,
  checkFiles,
  checkUnexpectedExits,
]

export function check(evidence: Evidence): Violation[] {
  return invariants.flatMap((invariant) => invariant(evidence))
}
