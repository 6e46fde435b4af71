import { type Address, zeroAddress } from 'viem'
import { ifGiven, secondsOfHours, toAddress } from '../normalise.ts'

/** Terms of an evaluator, as JSON has them. */
export interface JudgingRequest {
  /** Basis points of the reward; 0 unless given. */
  evaluatorFeeBps?: number | undefined
  /** Hours; 24 unless given. */
  evaluationWindowHours?: number | undefined
  /** Hours; 24 unless given. */
  appealWindowHours?: number | undefined
  disputeResolver?: string | undefined
}

/** The judges of a task, under the names of the request. Windows in whole seconds; absent: not given. */
export interface EvaluationRequest {
  evaluator: Address
  evaluatorFeeBps: number
  evaluationWindowHours?: bigint | undefined
  appealWindowHours?: bigint | undefined
  disputeResolver?: Address | undefined
}

/**
 * Normalises the terms of an evaluator.
 * Example: `normaliseJudging({ appealWindowHours: 0.5 })` has the fee 0 and the window 1_800n.
 */
export function normaliseJudging(request: JudgingRequest): Omit<EvaluationRequest, 'evaluator'> {
  return {
    evaluatorFeeBps: request.evaluatorFeeBps ?? 0,
    evaluationWindowHours: ifGiven(request.evaluationWindowHours, secondsOfHours),
    appealWindowHours: ifGiven(request.appealWindowHours, secondsOfHours),
    disputeResolver: ifGiven(request.disputeResolver, toAddress),
  }
}

/** Struct `EvaluatorTerms` of the market; see contracts/src/types/TaskTypes.sol. */
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

/** Default of the evaluation and appeal windows, seconds. Spec, "Create task". */
const DEFAULT_WINDOW = 86_400n

/** Converts the terms to the market's struct. Example: without windows, both are 86400 seconds. */
export function toEvaluatorTerms(terms: EvaluationRequest): EvaluatorTerms {
  return {
    evaluator: terms.evaluator,
    resolver: terms.disputeResolver ?? zeroAddress,
    feeBps: terms.evaluatorFeeBps,
    evaluationWindow: Number(terms.evaluationWindowHours ?? DEFAULT_WINDOW),
    appealWindow: Number(terms.appealWindowHours ?? DEFAULT_WINDOW),
  }
}
