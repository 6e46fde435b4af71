import type { Frame } from './html/layout.ts'
import { keep } from './http/keep.ts'
import { type Head, openReads, orNull } from './http/read.ts'
import type { WebOptions } from './options.ts'
import { amount } from './words/amount.ts'

/** Time in milliseconds for which the numbers in the footer are cached. */
const KEPT_MS = 15_000

const networkNames: Readonly<Record<string, string>> = { base: 'Base' }

/**
 * A function that returns the data for the footer of a page.
 * @param head the latest block among the API's answers for this page. The footer shows the number and the age of the
 * block.
 */
export type FrameOf = (head: Head) => Promise<Frame>

/** The data for a footer that shows nothing. */
export const noFrame: Frame = { network: '', held: null, closes: null, block: null, age: null }

/** Creates a function that returns the data for the footer of a page. A number that the API does not return is null. */
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
