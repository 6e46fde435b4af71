import type { Address } from 'viem'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Actor } from './actors.ts'

/** The fields that a consent switch signs. */
export interface SwitchTerms {
  required: boolean
  forwarder: Address
  /** Unix seconds. */
  timestamp: bigint
}

/** The body that turns consent of a wallet of the local chain on or off. */
export async function aConsentSwitch({ account, address }: Actor, { required, forwarder, timestamp }: SwitchTerms) {
  const to = required ? 'on' : 'off'
  const message = `service:consent:${to}:${localNetwork.chainId}:${forwarder.toLowerCase()}:${address}:${timestamp}`
  const signature = await account.signMessage({ message })
  return { walletAddress: account.address, required, timestamp: Number(timestamp), signature }
}
