import type { Address } from 'viem'
import { actorAddresses } from '../indexer/market-calls.ts'

/** All accounts, lower case: each one is requester, worker, evaluator and resolver. */
export const wallets = actorAddresses.map((address) => address.toLowerCase() as Address)
