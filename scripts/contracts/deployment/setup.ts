import type { Address } from 'viem'
import type { BonusSetup, RewardToken } from '../bonus-setup.ts'

/** All values that decide a deployment, in addition to the network. */
export interface Setup {
  /** Account that pays for the transactions. It owns the forwarder until `owner` accepts the ownership. */
  deployer: Address
  owner: Address
  feeRecipient: Address
  /** Platform fee in basis points. */
  feeBps: number
  /** The service's name, which is the first word of the messages that wallets sign. */
  serviceName: string
  /** URL of the service for clients, without a trailing slash. Default agent URIs start with it. */
  publicBaseUrl: string
  /** Accounts that may relay writes through the forwarder. */
  relayers: readonly Address[]
  /** Account that may veto announced refunds of prepaid money. It must not be a relayer. */
  guardian?: Address
  /**
   * Token and settings of a bonus programme. The deployment does not attach the programme: the market's owner makes it
   * a default hook.
   */
  bonus?: { token: RewardToken; setup: BonusSetup }
}

/** Default values of a setup. */
export const setupDefaults = { feeBps: 750, serviceName: 'service' } as const
