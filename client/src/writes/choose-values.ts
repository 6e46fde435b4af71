import { type Hex, toHex } from 'viem'
import { type ClockTerms, clockPriceFields, leastPriceOf } from '../../../protocol/clock-price.ts'
import { toBytes } from '../../../protocol/normalise.ts'
import { acceptAuction } from '../../../protocol/operations/accept-auction.ts'
import { isClockType } from '../../../protocol/rules/selectors.ts'
import type { ClientContext } from '../context.ts'
import { auctionOrNullShape } from '../http/shapes.ts'
import { VALID_SECONDS } from '../payments/authorization.ts'
import { readJson } from '../reads/read-json.ts'
import type { Choices } from '../store/store.ts'
import { type Fields, type Operation, Refused } from './write-spec.ts'

type Context = Pick<ClientContext, 'chain' | 'url' | 'fetch' | 'identity' | 'timing' | 'signingTime'>

/**
 * Chooses the values that determine a write's contract call, before any request is sent. The values are the salt and
 * the time of a document, and the minimum price of a clock auction.
 * @throws Refused
 */
export async function chooseValues(
  context: Context,
  { name, choices = [] }: Operation,
  inputFields: Fields,
): Promise<Choices> {
  const isMissing = (choice: keyof Choices) =>
    choices.some((one) => one === choice) && inputFields[choice] === undefined
  const now = await context.signingTime()
  const takesClock = name === acceptAuction.name && inputFields.minPrice === undefined
  const minPrice = takesClock ? await findLeastPrice(context, toBytes(String(inputFields.taskId)), now) : null
  return {
    ...(isMissing('documentSalt') && { documentSalt: toHex(crypto.getRandomValues(new Uint8Array(32))) }),
    ...(isMissing('createdAt') && { createdAt: new Date(now * 1000).toISOString() }),
    ...(minPrice !== null && { minPrice: minPrice.toString() }),
  }
}

/**
 * Returns the value of `minPrice` for a dutch or reverse dutch auction, in base units of USDC. A payment that is signed
 * now stays valid for some time, and the auction's price changes during that time. The result is the lowest price
 * during that time. Returns null if the task is no dutch or reverse dutch auction.
 */
async function findLeastPrice(context: Context, taskId: Hex, now: number): Promise<bigint | null> {
  const task =
    context.chain === null ? await termsByService(context, taskId) : await termsOnChain(context.chain, taskId)
  return task && leastPriceOf(task, { now: BigInt(now), end: BigInt(now + VALID_SECONDS) })
}

async function termsOnChain(chain: NonNullable<Context['chain']>, taskId: Hex): Promise<ClockTerms> {
  try {
    return await chain.taskOf(taskId)
  } catch {
    throw new Refused('task_unreadable', 'The node does not say the clock price of the task. Nothing was signed.')
  }
}

interface Auction {
  auctionType: string | null
  reward: string
  auctionStartPrice: string | null
  auctionFloorPrice: string | null
  createdAt: string
  bidDeadline: string | null
}

async function termsByService(context: Context, taskId: Hex): Promise<ClockTerms | null> {
  const answer = await readJson(context, `/api/tasks/${taskId}`, {}, auctionOrNullShape)
  if (!answer.ok) {
    throw new Refused('task_unreadable', `The clock price of the task cannot be read: ${answer.message}`)
  }
  if (answer.body === null) return null
  const auction = answer.body as Auction
  const { auctionType, reward, createdAt, bidDeadline } = auction
  const clockPrice = isClockType(auctionType) ? auction[clockPriceFields[auctionType]] : null
  return {
    auctionType,
    reward: BigInt(reward),
    clockPrice: clockPrice === null ? null : BigInt(clockPrice),
    createdAt: secondsOf(createdAt),
    bidDeadline: bidDeadline === null ? null : secondsOf(bidDeadline),
  }
}

function secondsOf(timestamp: string): bigint {
  return BigInt(Math.floor(Date.parse(timestamp) / 1000))
}
