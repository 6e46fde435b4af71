import {
  type Address,
  type ContractFunctionArgs,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  keccak256,
  parseAbiParameters,
  stringToBytes,
  zeroHash,
} from 'viem'
import type { taskMarketAbi } from '../../../../abis/task-market.ts'

type Params = ContractFunctionArgs<typeof taskMarketAbi, 'nonpayable', 'createTask'>[0]

const [pitch, auction] = ['pitch', 'auction'].map(
  (mode) => keccak256(stringToBytes(`TMP.mode.${mode}`)).slice(0, 10) as Hex,
)
const types = parseAbiParameters(
  'bytes4, bytes4, uint256, uint256, uint256, uint256, uint256, uint256, bytes32, address, address, uint256, uint256, ' +
    'uint256, bytes32',
)

/**
 * `taskTermsHash` of the task that a call of `createTask` makes, written again after TermsLib.createTask, HookLib.attach
 * and TermsHash.hashOf: the contracts are its only source.
 */
export function contractTermsHash(params: Params, defaultHooks: readonly Address[]): Hex {
  const { mode, evaluation } = params
  const hasEvaluator = BigInt(evaluation.evaluator) !== 0n
  const all = [...defaultHooks, ...params.hooks]
  return keccak256(
    encodeAbiParameters(types, [
      mode,
      params.auctionType,
      params.reward,
      BigInt(params.duration),
      mode === pitch ? BigInt(params.pitchDuration || params.duration) : 0n,
      mode === auction ? BigInt(params.bidDuration || params.duration) : 0n,
      mode === auction ? params.clockPrice : 0n,
      BigInt(params.stakeBps),
      params.tags.length > 0 ? keccak256(encodePacked(['bytes32[]'], [params.tags])) : zeroHash,
      evaluation.evaluator,
      evaluation.resolver,
      hasEvaluator ? BigInt(evaluation.feeBps) : 0n,
      hasEvaluator ? BigInt(evaluation.evaluationWindow) : 0n,
      hasEvaluator ? BigInt(evaluation.appealWindow) : 0n,
      all.length === 0
        ? zeroHash
        : keccak256(encodeAbiParameters(parseAbiParameters('uint8, address[]'), [defaultHooks.length, all])),
    ]),
  )
}
