import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { toModeSelector } from '../rules/selectors.ts'
import { hashTerms } from '../terms-hash.ts'
import type { CreateTaskParams } from './create-task-params.ts'

/**
 * Computes `taskTermsHash` of a new task from the parameters of the creation and the market's default hooks. The task
 * must have at least one hook. An absent pitch or bid deadline equals the task's expiry
 * (contracts/src/libraries/TermsLib.sol).
 * Example: a bounty with the tag `poetry` and the hook `0xaa..` of the requester has the hash `0xd880..`.
 */
export function termsHashOfCreation(params: CreateTaskParams, defaultHooks: readonly Address[]): Hex {
  const { mode, evaluation } = params
  const duration = BigInt(params.duration)
  const untilExpiry = (window: number) => (window === 0 ? duration : BigInt(window))
  return hashTerms({
    mode,
    auctionType: params.auctionType,
    reward: params.reward,
    duration,
    pitchDuration: mode === toModeSelector('pitch') ? untilExpiry(params.pitchDuration) : 0n,
    bidDuration: mode === toModeSelector('auction') ? untilExpiry(params.bidDuration) : 0n,
    clockPrice: params.clockPrice,
    stakeBps: params.stakeBps,
    tagHashes: params.tags,
    evaluator: evaluation.evaluator,
    resolver: evaluation.resolver,
    evaluatorFeeBps: evaluation.feeBps,
    evaluationWindow: BigInt(evaluation.evaluationWindow),
    appealWindow: BigInt(evaluation.appealWindow),
    hookSet: toHookSet(defaultHooks, params.hooks),
  })
}

/**
 * Returns the id of a hook list. The market's default hooks are the first entries of the list
 * (contracts/src/libraries/HookLib.sol).
 */
function toHookSet(defaultHooks: readonly Address[], hooks: readonly Address[]): Hex {
  const types = [{ type: 'uint8' }, { type: 'address[]' }] as const
  return keccak256(encodeAbiParameters(types, [defaultHooks.length, [...defaultHooks, ...hooks]]))
}
