import type { Address } from 'viem'
import type { BonusSetup, RewardToken } from '../bonus-setup.ts'

/** All values besides the network that decide a deployment. */
export interface Setup {
  /** Pays, and owns the forwarder until `owner` accepts it. */
  deployer: Address
  owner: Address
  feeRecipient: Address
  /** Platform fee in basis points. */
  feeBps: number
  /** First word of signed messages. */
  serviceName: string
  /** URL of the service for clients, without a trailing slash. Default agent URIs start with it. */
  publicBaseUrl: string
  /** Accounts that may relay. */
  relayers: readonly Address[]
  /** Vetoes announced refunds of prepaid money, never a relayer. */
  guardian?: Address
  /** A programme of token bonuses; the market's owner makes it a default hook. */
  bonus?: { token: RewardToken; setup: BonusSetup }
}

/** Defaults of a setup. */
export const setupDefaults = { feeBps: 750, serviceName: 'service' } as const
