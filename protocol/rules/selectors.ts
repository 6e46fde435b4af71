import { type Hex, keccak256, toBytes } from 'viem'

/** What a column holds for a selector that this version does not know: a chain actor chose it, so it must not throw. */
export const unknownName = 'unknown'

export const taskModes = ['bounty', 'claim', 'pitch', 'benchmark', 'auction'] as const
export type TaskMode = (typeof taskModes)[number]

export const auctionTypes = ['dutch', 'english', 'reverse_dutch', 'reverse_english'] as const
export type AuctionType = (typeof auctionTypes)[number]

const zeroSelector = '0x00000000'
const modesBySelector = new Map<string, TaskMode>(taskModes.map((mode) => [toModeSelector(mode), mode]))
const auctionTypesBySelector = new Map<string, AuctionType>(
  auctionTypes.map((auctionType) => [toAuctionSelector(auctionType), auctionType]),
)

/** The ERC-8195 selector of a mode: the first four bytes of keccak256("TMP.mode.<mode>"). */
export function toModeSelector(mode: TaskMode): Hex {
  return selectorOf(`TMP.mode.${mode}`)
}

/** The ERC-8195 selector of an auction subtype, which the standard spells with dashes. */
export function toAuctionSelector(auctionType: AuctionType): Hex {
  return selectorOf(`TMP.auction.${auctionType.replaceAll('_', '-')}`)
}

/** The mode of a selector; `unknown` for one that names none. */
export function toTaskMode(selector: Hex): TaskMode | typeof unknownName {
  return modesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/** The subtype of a selector; null for the zero selector (no auction), `unknown` for one that names none. */
export function toAuctionType(selector: Hex): AuctionType | typeof unknownName | null {
  if (selector.toLowerCase() === zeroSelector) return null
  return auctionTypesBySelector.get(selector.toLowerCase()) ?? unknownName
}

/** Modes in which many workers deliver to an open task. */
export const contestModes = ['bounty', 'benchmark'] as const satisfies readonly TaskMode[]

/** Modes in which one worker is assigned, and delivers once. */
export const assignedModes = ['claim', 'pitch', 'auction'] as const satisfies readonly TaskMode[]

/** Auctions whose price follows the clock, and those that the lowest bid wins. */
export const clockTypes = ['dutch', 'reverse_dutch'] as const satisfies readonly AuctionType[]
export const biddingTypes = ['english', 'reverse_english'] as const satisfies readonly AuctionType[]

/** Whether the price of an auction follows the clock; false outside auctions. */
export function isClockType(auctionType: string | null | undefined): auctionType is (typeof clockTypes)[number] {
  return clockTypes.some((type) => type === auctionType)
}

/** Whether an auction takes bids; false outside auctions. */
export function isBiddingType(auctionType: string | null | undefined): auctionType is (typeof biddingTypes)[number] {
  return biddingTypes.some((type) => type === auctionType)
}

/** Whether many may enter and deliver: no worker is assigned before a verdict. */
export function isContest(mode: TaskMode | typeof unknownName): boolean {
  return (contestModes as readonly string[]).includes(mode)
}

/** Narrows a stored mode. @throws when the row holds something else */
export function parseTaskMode(value: string): TaskMode | typeof unknownName {
  const mode = ([...taskModes, unknownName] as const).find((candidate) => candidate === value)
  if (mode === undefined) throw new Error(`a row holds the mode ${value}`)
  return mode
}

/** Narrows a stored auction subtype; null outside auctions. @throws when the row holds something else */
export function parseAuctionType(value: string | null): AuctionType | typeof unknownName | null {
  if (value === null) return null
  const auctionType = ([...auctionTypes, unknownName] as const).find((candidate) => candidate === value)
  if (auctionType === undefined) throw new Error(`a row holds the auction type ${value}`)
  return auctionType
}

function selectorOf(name: string): Hex {
  return keccak256(toBytes(name)).slice(0, 10) as Hex
}
