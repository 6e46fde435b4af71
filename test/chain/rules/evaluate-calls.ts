import { type Address, concat, type Hex, toHex } from 'viem'
import type { MarketChain } from '../indexer/market-chain.ts'

/** A direct call of the market by a wallet. */
export interface EvaluatedCall {
  actor: Address
  data: Hex
}

/** `tryAggregate(bool,(address,bytes)[])` of Multicall3. */
const TRY_AGGREGATE = '0xbce38bd7'
/** Digits of a word of 32 bytes in hex. */
const WORD = 64
/** Words of an answer: whether the call succeeded, then the bytes it returned: offset, length, and one word. */
const WORDS_OF_ANSWER = 4

/**
 * Whether the market would accept each of the calls in a block of the given time (Unix seconds), each one from the
 * current state. One `eth_call` for all: in it every wallet has the code of a proxy, which executes the given call and
 * reverts.
 */
export async function evaluateAll(
  { client, deployment }: MarketChain,
  now: bigint,
  calls: readonly EvaluatedCall[],
): Promise<boolean[]> {
  const code = proxyOf(deployment.market)
  const actors = [...new Set(calls.map(({ actor }) => actor))]
  const { data: answer = '0x' } = await client.call({
    to: deployment.multicall3,
    data: encodeTryAggregate(calls),
    stateOverride: actors.map((address) => ({ address, code })),
    blockOverrides: { time: now },
  })
  return decodeAnswers(answer, calls.length)
}

/** Encoded here: the encoder for every type takes most of the time of thousands of calls. */
function encodeTryAggregate(calls: readonly EvaluatedCall[]): Hex {
  const tuples = calls.map(({ actor, data }) => {
    const digits = data.slice(2)
    const padded = digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0')
    return actor.slice(2).padStart(WORD, '0') + word(64) + word(digits.length / 2) + padded
  })
  let offset = 32 * calls.length
  const offsets = tuples.map((tuple) => {
    const start = word(offset)
    offset += tuple.length / 2
    return start
  })
  return `${TRY_AGGREGATE}${word(0)}${word(64)}${word(calls.length)}${offsets.join('')}${tuples.join('')}`
}

/** @throws unless every call reverted with one word, as a proxy does */
function decodeAnswers(answer: Hex, count: number): boolean[] {
  const [, , ...words] = answer.slice(2).match(/.{64}/g) ?? []
  if (words.length !== count * (1 + WORDS_OF_ANSWER)) throw new Error(`the proxies answered ${answer}`)
  const answers = words.slice(count)
  return Array.from({ length: count }, (_, index) => {
    const [success, offset, length, accepted = ''] = answers.slice(
      index * WORDS_OF_ANSWER,
      (index + 1) * WORDS_OF_ANSWER,
    )
    if (success !== word(0) || offset !== word(64) || length !== word(32)) {
      throw new Error(`a proxy answered ${answer}`)
    }
    return BigInt(`0x${accepted}`) === 1n
  })
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, '0')
}

/** Code that forwards its call data to `target`, then reverts with the success of that call, one word. */
function proxyOf(target: Address): Hex {
  return concat([
    // CALLDATASIZE, 0, 0, CALLDATACOPY: the call data to memory.
    ...(['0x36', '0x5f', '0x5f', '0x37'] as const),
    // CALL(GAS, target, value 0, memory from 0 on, nothing returned).
    ...(['0x5f', '0x5f', '0x36', '0x5f', '0x5f', '0x73', target, '0x5a', '0xf1'] as const),
    // MSTORE(0, success), REVERT(0, 32).
    ...(['0x5f', '0x52', '0x60', toHex(32), '0x5f', '0xfd'] as const),
  ])
}
