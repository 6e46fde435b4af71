import { type Address, zeroAddress } from 'viem'
import { ifGiven, secondsOfHours, toAddress } from '../normalise.ts'

/** Terms of an evaluation, with the field types of the request's JSON. */
export interface JudgingRequest {
  /** The evaluator's fee, in basis points of the reward; 0 unless given. */
  evaluatorFeeBps?: number | undefined
  /** Time for the evaluator's verdict, in hours; 24 unless given. */
  evaluationWindowHours?: number | undefined
  /** Time for an appeal after the verdict, in hours; 24 unless given. */
  appealWindowHours?: number | undefined
  disputeResolver?: string | undefined
}

/**
 * The normalised terms of an evaluation. The evaluation window and the appeal window are whole seconds. Fields that the
 * request does not have are absent.
 */
export interface EvaluationRequest {
  evaluator: Address
  evaluatorFeeBps: number
  evaluationWindowHours?: bigint | undefined
  appealWindowHours?: bigint | undefined
  disputeResolver?: Address | undefined
}

/**
 * Normalises the terms of an evaluation: sets an absent fee to 0, converts hours to seconds, and converts the address
 * of the dispute resolver to lower case.
 * Example: `normaliseJudging({ appealWindowHours: 0.5 })` has the fee 0 and an appeal window of 1_800n seconds.
 */
export function normaliseJudging(request: JudgingRequest): Omit<EvaluationRequest, 'evaluator'> {
  return {
    evaluatorFeeBps: request.evaluatorFeeBps ?? 0,
    evaluationWindowHours: ifGiven(request.evaluationWindowHours, secondsOfHours),
    appealWindowHours: ifGiven(request.appealWindowHours, secondsOfHours),
    disputeResolver: ifGiven(request.disputeResolver, toAddress),
  }
}

/** The market's struct `EvaluatorTerms` (contracts/src/types/TaskTypes.sol). */
export interface EvaluatorTerms {
  evaluator: Address
  /** The resolver, who settles appeals; the zero address if there is none. */
  resolver: Address
  feeBps: number
  /** Time for the evaluator's verdict, seconds. */
  evaluationWindow: number
  /** Time for an appeal after the verdict, seconds. */
  appealWindow: number
}

/** Default of the evaluation window and of the appeal window, seconds (specification, "Create task"). */
const DEFAULT_WINDOW = 86_400n

/**
 * Converts normalised terms to the market's struct. Example: if the terms have no windows, the evaluation window and
 * the appeal window are 86400 seconds.
 */
export function toEvaluatorTerms(terms: EvaluationRequest): EvaluatorTerms {
  return {
    evaluator: terms.evaluator,
    resolver: terms.disputeResolver ?? zeroAddress,
    feeBps: terms.evaluatorFeeBps,
    evaluationWindow: Number(terms.evaluationWindowHours ?? DEFAULT_WINDOW),
    appealWindow: Number(terms.appealWindowHours ?? DEFAULT_WINDOW),
  }
}
