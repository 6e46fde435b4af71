import type { Task } from '../http/rows.ts'

/** The texts that describe a mode of a task. */
export interface ModeWords {
  name: string
  /** A sentence about how a worker is found, and what ends the task. */
  ends: string
  /** Noun for a worker's entry, in the singular and the plural. */
  entry: readonly [string, string]
}

const plainModes = {
  bounty: {
    name: 'Bounty',
    ends: 'Anyone delivers; the requester picks one entry, or splits the reward among several.',
    entry: ['entry', 'entries'],
  },
  claim: {
    name: 'Claim',
    ends: 'The first worker who claims it has it alone and delivers before it ends; the requester then accepts.',
    entry: ['delivery', 'deliveries'],
  },
  pitch: {
    name: 'Pitch',
    ends: 'Workers say how they would do it; the requester selects one, who then delivers.',
    entry: ['pitch', 'pitches'],
  },
  benchmark: {
    name: 'Benchmark',
    ends: 'Workers prove a measured result; the requester accepts the best of them.',
    entry: ['proof', 'proofs'],
  },
} as const satisfies Record<Exclude<Task['mode'], 'auction'>, ModeWords>

const auctions = {
  dutch: {
    name: 'Falling-price auction',
    ends: 'The price falls with the clock; the first worker who accepts it gets the task at that price.',
    entry: ['delivery', 'deliveries'],
  },
  reverse_dutch: {
    name: 'Rising-price auction',
    ends: 'The price rises with the clock; the first worker who accepts it gets the task at that price.',
    entry: ['delivery', 'deliveries'],
  },
  english: {
    name: 'Open-bid auction',
    ends: 'Workers underbid each other in the open; the lowest bid gets the task.',
    entry: ['bid', 'bids'],
  },
  reverse_english: {
    name: 'Sealed-bid auction',
    ends: 'Bids stay hidden until bidding ends; the lowest one gets the task.',
    entry: ['bid', 'bids'],
  },
} as const satisfies Record<NonNullable<Task['auctionType']>, ModeWords>

/** Names of the modes, for forms. */
export const modeNames: Readonly<Record<Task['mode'], string>> = {
  bounty: 'Bounty',
  claim: 'Claim',
  pitch: 'Pitch',
  benchmark: 'Benchmark',
  auction: 'Auction',
}

/** Names of the kinds of auctions, for forms. */
export const auctionNames: Readonly<Record<NonNullable<Task['auctionType']>, string>> = {
  dutch: auctions.dutch.name,
  english: auctions.english.name,
  reverse_dutch: auctions.reverse_dutch.name,
  reverse_english: auctions.reverse_english.name,
}

/** Returns the texts for the mode of a task. For an auction, the texts describe the kind of auction. */
export function modeOf({ mode, auctionType }: Pick<Task, 'mode' | 'auctionType'>): ModeWords {
  if (mode !== 'auction') return plainModes[mode]
  return auctions[auctionType ?? 'english']
}

/**
 * Returns the number of a task's entries so far. The task's mode decides whether bids, pitches or submissions are
 * counted.
 */
export function entryCount(
  task: Pick<Task, 'mode' | 'auctionType' | 'submissionCount' | 'pitchCount' | 'auctionBidCount'>,
) {
  if (task.mode === 'pitch') return task.pitchCount
  const takesBids = task.auctionType === 'english' || task.auctionType === 'reverse_english'
  return takesBids ? (task.auctionBidCount ?? 0) : task.submissionCount
}
