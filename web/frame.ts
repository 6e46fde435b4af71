import type { Frame } from './html/layout.ts'
import { keep } from './http/keep.ts'
import { type Head, openReads, orNull } from './http/read.ts'
import type { WebOptions } from './options.ts'
import { amount } from './words/amount.ts'

/** Maximum age of the footer, milliseconds. */
const KEPT_MS = 15_000

const networkNames: Readonly<Record<string, string>> = { base: 'Base' }

/** Returns the frame of a page whose newest read was of the block `head`. */
export type FrameOf = (head: Head) => Promise<Frame>

/** The frame of a page without a footer. */
export const noFrame: Frame = { network: '', held: null, closes: null, block: null, age: null }

/** Creates the reader of the footer's numbers. Numbers that the API refuses are left out. */
export function createFrame(options: WebOptions): FrameOf {
  const readShared = keep(() => readFacts(options), KEPT_MS)
  return async ({ block, age }) => {
    const facts = await readShared()
    return { ...facts, block, age }
  }
}

async function readFacts(options: WebOptions): Promise<Omit<Frame, 'block' | 'age'>> {
  const reads = openReads(options, null)
  const [network, books] = await Promise.all([orNull(reads.get('/api/network')), orNull(reads.get('/api/books'))])
  const contracts = books?.assets.find(({ asset }) => asset === network?.usdcAddress)?.contracts ?? []
  const market = contracts.find(({ name }) => name === 'market')
  const all = books?.assets.flatMap((asset) => asset.contracts) ?? []
  return {
    network: networkText(network, options),
    held: market?.balance == null ? null : amount(market.balance, 6),
    closes: books === null ? null : all.every(({ difference }) => difference === '0'),
  }
}

function networkText(network: { networkName: string; chainId: number } | null, { isLocal }: WebOptions): string {
  if (network === null) return ''
  if (isLocal === true) return `Local chain ${network.chainId}`
  return networkNames[network.networkName] ?? network.networkName
}
