import type { Address } from 'viem'
import type { BonusSetup, RewardToken } from '../bonus-setup.ts'

/** Everything beside the network that decides what a deployment is. */
export interface Setup {
  /** Pays, and owns the forwarder until `owner` accepts it. */
  deployer: Address
  owner: Address
  feeRecipient: Address
  /** Platform fee in basis points. */
  feeBps: number
  /** First word of signed messages. */
  serviceName: string
  /** Where clients reach the service, without a trailing slash: the start of default agent URIs. */
  publicBaseUrl: string
  /** Accounts that may relay. */
  relayers: readonly Address[]
  /** Vetoes announced refunds of prepaid money, never a relayer. */
  guardian?: Address
  /** A programme of token bonuses; the market's owner makes it a default hook. */
  bonus?: { token: RewardToken; setup: BonusSetup }
}

/** What a setup has unless told otherwise. */
export const setupDefaults = { feeBps: 750, serviceName: 'service' } as const
