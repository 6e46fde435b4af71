import { type Hex, keccak256, toBytes } from 'viem'

/** The column of a selector that this version does not support: a chain actor may choose any, so it must not throw. */
export const unknownName = 'unknown'

/** Modes of a task. */
export const taskModes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const
export type TaskMode = (typeof taskModes)[number]

/** Subtypes of an auction. */
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
 * Returns the ERC-8195 selector of an auction subtype, which the standard spells with dashes.
 * Example: `toAuctionSelector('reverse_dutch')` is `0x71353053`.
 */
export function toAuctionSelector(auctionType: AuctionType): Hex {
  return selectorOf(`TMP.auction.${auctionType.replaceAll('_', '-')}`)
}

/** Returns the mode of a selector; `unknown` for one that names none. Example: `toTaskMode('0xa81913a5')` is `bounty`. */
export function toTaskMode(selector: Hex): TaskMode | typeof unknownName {
  return modesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/**
 * Returns the subtype of a selector; null for the zero selector (no auction), `unknown` for one that names none.
 * Example: `toAuctionType('0x71353053')` is `reverse_dutch`.
 */
export function toAuctionType(selector: Hex): AuctionType | typeof unknownName | null {
  if (selector.toLowerCase() === zeroSelector) return null
  return auctionTypesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/** Modes in which many workers deliver to an open task. */
export const contestModes = ['bounty', 'benchmark'] as const satisfies readonly TaskMode[]

/** Modes in which one worker is assigned, and delivers once. */
export const assignedModes = ['claim', 'pitch', 'auction'] as const satisfies readonly TaskMode[]

/** Auctions whose price follows the clock. The others are won by the lowest bid. */
export const clockTypes = ['dutch', 'reverse_dutch'] as const satisfies readonly AuctionType[]
/** Auctions that the lowest bid wins. */
export const biddingTypes = ['english', 'reverse_english'] as const satisfies readonly AuctionType[]

/** Returns whether the price of an auction follows the clock; false outside auctions. Example: true for `dutch`. */
export function isClockType(auctionType: string | null | undefined): auctionType is (typeof clockTypes)[number] {
  return clockTypes.some((type) => type === auctionType)
}

/** Returns whether an auction accepts bids; false outside auctions. Example: true for `english`. */
export function isBiddingType(auctionType: string | null | undefined): auctionType is (typeof biddingTypes)[number] {
  return biddingTypes.some((type) => type === auctionType)
}

/** Returns whether many workers may enter and deliver: no worker is assigned before a verdict. Example: true for `bounty`. */
export function isContest(mode: TaskMode | typeof unknownName): boolean {
  return (contestModes as readonly string[]).includes(mode)
}

/**
 * Narrows a stored mode. Example: `parseTaskMode('claim')`.
 * @throws when the row has another value
 */
export function parseTaskMode(value: string): TaskMode | typeof unknownName {
  const mode = ([...taskModes, unknownName] as const).find((candidate) => candidate === value)
  if (mode === undefined) throw new Error(`a row holds the mode ${value}`)
  return mode
}

/**
 * Narrows a stored auction subtype; null outside auctions. Example: `parseAuctionType('dutch')`.
 * @throws when the row has another value
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
