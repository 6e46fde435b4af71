import { readAskAbove, readLimits, refuseUnknown } from './limits.ts'
import type { WalletConfig } from './store.ts'

/** Reads the configuration of a wallet. @throws Error when a setting is unknown or unreadable */
export function readWalletConfig(settings: Record<string, unknown>): WalletConfig {
  refuseUnknown(settings, ['limits', 'askAbove', 'withdrawalAddress'], 'settings')
  const { limits, askAbove, withdrawalAddress = null } = settings
  return {
    limits: readLimits(limits),
    askAbove: readAskAbove(askAbove),
    withdrawalAddress: withdrawalAddress === null ? null : String(withdrawalAddress),
  }
}
