import fc from 'fast-check'
import type { Address } from 'viem'
import { plainName } from '../../api/http/request-schemas.ts'
import {
  type AuctionType,
  auctionTypes,
  isBiddingType,
  isClockType,
  taskModes,
} from '../../protocol/rules/selectors.ts'
import { foldTag } from '../../protocol/text/fold-tag.ts'

const tagRule = plainName(1, 200)
const aTag = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((tag) => tagRule.safeParse(tag).success)

/** What a creation and the hook data of its sponsored reward have in common, as fields of a request. */
export type TermsBody = Record<string, unknown> & { mode: string; auctionType?: string; hookContracts: Address[] }

/** Ten years. */
const LONGEST_SECONDS = 315_360_000
const LARGEST_REWARD = 2n ** 72n - 1n
const PLATFORM_FEE_BPS = 750
const BPS = 10_000

/** Every mode, auctions by their types: what the properties are asked of. */
export const kindsOfTask = [
  ...taskModes.filter((mode) => mode !== 'auction').map((mode) => ({ mode, auctionType: null })),
  ...auctionTypes.map((auctionType) => ({ mode: 'auction' as const, auctionType })),
]
export type KindOfTask = (typeof kindsOfTask)[number]

export interface CreationParts {
  /** Hooks of the task’s own, of which it gets some; none: it has none. */
  hooks: readonly Address[]
  /** Accounts that can be evaluator and resolver. */
  judges: readonly Address[]
  /** The largest reward, base units; what the market can book unless given. */
  mostReward?: bigint
}

/** The fields of a valid creation of a kind, with what a task of another kind would have in some of them. */
export function aTermsBody(kind: KindOfTask, parts: CreationParts): fc.Arbitrary<TermsBody> {
  const { mode, auctionType } = kind
  return fc
    .record({
      reward: fc.oneof(fc.bigInt(1000n, 1_000_000n), fc.bigInt(1000n, parts.mostReward ?? LARGEST_REWARD)),
      seconds: fc.oneof(fc.integer({ min: 2, max: 100_000 }), fc.integer({ min: 2, max: LONGEST_SECONDS })),
    })
    .chain(({ reward, seconds }) =>
      fc
        .record({
          visibility: fc.constantFrom('public', 'unlisted', 'private', undefined),
          tags: fc.uniqueArray(aTag, { maxLength: 10, selector: foldTag }),
          hookContracts: fc.subarray([...parts.hooks]),
          duration: hoursOf(fc.constant(seconds)),
          ofMode: termsOfMode(kind, { reward, seconds }),
          ofOthers: fc.record(
            { ...(mode !== 'pitch' && { pitchDeadline: fc.integer({ min: 1, max: LONGEST_SECONDS }) }) },
            { requiredKeys: [] },
          ),
          evaluation: fc.option(anEvaluation(parts.judges), { nil: {} }),
        })
        .map(({ visibility, ofMode, ofOthers, evaluation, ...fields }) => ({
          mode,
          ...(auctionType !== null && { auctionType, maxPrice: String(reward) }),
          reward: String(reward),
          ...(visibility !== undefined && { taskVisibility: visibility }),
          ...fields,
          ...ofOthers,
          ...ofMode,
          ...evaluation,
        })),
    )
}

/** Hours that are rounded up to just these seconds. */
function hoursOf(seconds: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return fc.tuple(seconds, fc.constantFrom(0, 0, 0.25, 0.75)).map(([whole, less]) => Math.max(1, whole - less) / 3600)
}

function termsOfMode(
  { mode, auctionType }: KindOfTask,
  { reward, seconds }: { reward: bigint; seconds: number },
): fc.Arbitrary<Record<string, unknown>> {
  if (mode === 'claim') {
    const stakes = fc.integer({ min: 1, max: BPS }).map((stakeBps) => ({ stakeRequired: true, stakeBps }))
    return fc.oneof(fc.constant({}), stakes)
  }
  if (mode === 'pitch') {
    return fc.record({ pitchDeadline: fc.integer({ min: 1, max: seconds }) }, { requiredKeys: [] })
  }
  return auctionType === null ? fc.constant({}) : termsOfAuction(auctionType, { reward, seconds })
}

/** A clock may run until the expiry, which it does unless said; bids end before it. */
function termsOfAuction(
  auctionType: AuctionType,
  { reward, seconds }: { reward: bigint; seconds: number },
): fc.Arbitrary<Record<string, unknown>> {
  const last = isBiddingType(auctionType) ? seconds - 1 : seconds
  const price = fc.bigInt(1n, reward).map(String)
  const [own, other] = auctionType === 'dutch' ? ['Floor', 'Start'] : ['Start', 'Floor']
  const fields = {
    bidDeadline: hoursOf(fc.integer({ min: 1, max: last })),
    [`auction${own}Price`]: price,
    [`auction${other}Price`]: price,
  }
  const required = [
    ...(isBiddingType(auctionType) ? ['bidDeadline'] : []),
    ...(isClockType(auctionType) ? [`auction${own}Price`] : []),
  ]
  return fc.record<Record<string, unknown>>(fields, { requiredKeys: required })
}

function anEvaluation(judges: readonly Address[]): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      people: fc.shuffledSubarray([...judges], { minLength: 2, maxLength: 2 }),
      hasResolver: fc.boolean(),
      terms: fc.record(
        {
          evaluatorFeeBps: fc.integer({ min: 0, max: BPS - PLATFORM_FEE_BPS }),
          evaluationWindowHours: hoursOf(fc.integer({ min: 1, max: LONGEST_SECONDS })),
          appealWindowHours: hoursOf(fc.integer({ min: 301, max: LONGEST_SECONDS })),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ people: [evaluator, disputeResolver], hasResolver, terms }) => ({
      evaluator,
      ...(hasResolver && { disputeResolver }),
      ...terms,
    }))
}

/** The body of `build-funding-hook-data`. */
export function toBuildBody(
  terms: TermsBody,
  { managerAddress, grossAmount }: { managerAddress: Address; grossAmount: bigint },
): Record<string, unknown> {
  const { hookContracts, tags, ...rest } = terms
  return {
    managerAddress,
    grossAmount: String(grossAmount),
    ...rest,
    // What a creation has to say and this request need not.
    ...(hookContracts.length > 0 && { hookContracts }),
    ...((tags as string[]).length > 0 && { tags }),
  }
}

/** The body of the creation that follows it; a single hook can be named in two ways. */
export function toCreationBody(
  { hookContracts, ...terms }: TermsBody,
  { hookAddress, hookData }: { hookAddress: string; hookData: string },
): Record<string, unknown> {
  const isShort = hookContracts.length === 0 && terms.mode !== 'claim'
  return {
    description: 'Write a haiku about escrow',
    ...terms,
    ...(terms.taskVisibility === 'private' && { allowedViewers: [hookAddress] }),
    ...(isShort ? { hookContract: hookAddress } : { hookContracts: [...hookContracts, hookAddress] }),
    hookData,
  }
}
