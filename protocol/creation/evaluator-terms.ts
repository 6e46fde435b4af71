import { type Address, zeroAddress } from 'viem'

/** The judges of a task, under the names of the request. Windows in whole seconds; absent: not given. */
export interface EvaluationRequest {
  evaluator: Address
  evaluatorFeeBps: number
  evaluationWindowHours?: bigint | undefined
  appealWindowHours?: bigint | undefined
  disputeResolver?: Address | undefined
}

/** `EvaluatorTerms` of the market; see contracts/src/types/TaskTypes.sol. */
export interface EvaluatorTerms {
  evaluator: Address
  /** The resolver; zero: none. */
  resolver: Address
  feeBps: number
  /** Seconds. */
  evaluationWindow: number
  /** Seconds. */
  appealWindow: number
}

/** Evaluation and appeal windows unless given, seconds. Spec, "Create task". */
const DEFAULT_WINDOW = 86_400n

/** The terms as the market takes them. Example: without windows, both are 86,400 seconds. */
export function toEvaluatorTerms(terms: EvaluationRequest): EvaluatorTerms {
  return {
    evaluator: terms.evaluator,
    resolver: terms.disputeResolver ?? zeroAddress,
    feeBps: terms.evaluatorFeeBps,
    evaluationWindow: Number(terms.evaluationWindowHours ?? DEFAULT_WINDOW),
    appealWindow: Number(terms.appealWindowHours ?? DEFAULT_WINDOW),
  }
}
