import { type Hex, keccak256, toBytes } from 'viem'

/**
 * The name for an unknown mode, auction type or proof type. Unknown values occur, because a direct caller of the
 * contract may choose any selector or hash.
 */
export const unknownName = 'unknown'

/** Modes of a task. */
export const taskModes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const
export type TaskMode = (typeof taskModes)[number]

/** Types of an auction. */
export const auctionTypes = ['dutch', 'english', 'reverse_dutch', 'reverse_english'] as const
export type AuctionType = (typeof auctionTypes)[number]

const zeroSelector = '0x00000000'
const modesBySelector = new Map<string, TaskMode>(taskModes.map((mode) => [toModeSelector(mode), mode]))
const auctionTypesBySelector = new Map<string, AuctionType>(
  auctionTypes.map((auctionType) => [toAuctionSelector(auctionType), auctionType]),
)

/**
 * Returns the ERC-8195 selector of a mode: the first four bytes of keccak256("TMP.mode.<mode>").
 * Example: `toModeSelector('bounty')` is `0xa81913a5`.
 */
export function toModeSelector(mode: TaskMode): Hex {
  return selectorOf(`TMP.mode.${mode}`)
}

/**
 * Returns the ERC-8195 selector of an auction type: the first four bytes of keccak256("TMP.auction.<type>"), with
 * dashes in place of underscores.
 * Example: `toAuctionSelector('reverse_dutch')` is `0x71353053`.
 */
export function toAuctionSelector(auctionType: AuctionType): Hex {
  return selectorOf(`TMP.auction.${auctionType.replaceAll('_', '-')}`)
}

/**
 * Returns the mode of a selector; `unknown` if the selector belongs to no mode. Example: `toTaskMode('0xa81913a5')` is
 * `bounty`.
 */
export function toTaskMode(selector: Hex): TaskMode | typeof unknownName {
  return modesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/**
 * Returns the auction type of a selector. Null for the zero selector: the task is no auction. `unknown` for a selector
 * that belongs to no auction type.
 * Example: `toAuctionType('0x71353053')` is `reverse_dutch`.
 */
export function toAuctionType(selector: Hex): AuctionType | typeof unknownName | null {
  if (selector.toLowerCase() === zeroSelector) return null
  return auctionTypesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/** Modes in which many workers can deliver while the task is open. */
export const contestModes = ['bounty', 'benchmark'] as const satisfies readonly TaskMode[]

/** Modes with one assigned worker. Only the assigned worker delivers. */
export const assignedModes = ['claim', 'pitch', 'auction'] as const satisfies readonly TaskMode[]

/** Auction types whose price changes with time. */
export const clockTypes = ['dutch', 'reverse_dutch'] as const satisfies readonly AuctionType[]
/** Auction types in which workers place bids and the lowest bid wins. */
export const biddingTypes = ['english', 'reverse_english'] as const satisfies readonly AuctionType[]

/**
 * Returns whether an auction's price changes with time; false for tasks that are no auctions. Example: true for
 * `dutch`.
 */
export function isClockType(auctionType: string | null | undefined): auctionType is (typeof clockTypes)[number] {
  return clockTypes.some((type) => type === auctionType)
}

/** Returns whether an auction accepts bids; false for tasks that are no auctions. Example: true for `english`. */
export function isBiddingType(auctionType: string | null | undefined): auctionType is (typeof biddingTypes)[number] {
  return biddingTypes.some((type) => type === auctionType)
}

/**
 * Returns whether a task is a contest: many workers may deliver, and no worker is assigned before a verdict. Example:
 * true for `bounty`.
 */
export function isContest(mode: TaskMode | typeof unknownName): boolean {
  return (contestModes as readonly string[]).includes(mode)
}

/**
 * Converts a stored text to a mode. Example: `parseTaskMode('claim')`.
 * @throws if the text is neither a mode nor `unknown`
 */
export function parseTaskMode(value: string): TaskMode | typeof unknownName {
  const mode = ([...taskModes, unknownName] as const).find((candidate) => candidate === value)
  if (mode === undefined) throw new Error(`a row holds the mode ${value}`)
  return mode
}

/**
 * Converts a stored text to an auction type. Returns null for null: the task is no auction. Example:
 * `parseAuctionType('dutch')`.
 * @throws if the text is neither an auction type nor `unknown`
 */
export function parseAuctionType(value: string | null): AuctionType | typeof unknownName | null {
  if (value === null) return null
  const auctionType = ([...auctionTypes, unknownName] as const).find((candidate) => candidate === value)
  if (auctionType === undefined) throw new Error(`a row holds the auction type ${value}`)
  return auctionType
}

function selectorOf(name: string): Hex {
  return keccak256(toBytes(name)).slice(0, 10) as Hex
}
