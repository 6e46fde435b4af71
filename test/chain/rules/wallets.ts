import type { Address } from 'viem'
import { actorAddresses } from '../indexer/market-calls.ts'

/** Everybody who may turn up, lower case: each of them creates, works and judges. */
export const wallets = actorAddresses.map((address) => address.toLowerCase() as Address)
