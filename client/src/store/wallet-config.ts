import { readAskAbove, readHooks, readLimits, readTokenLimits, refuseUnknown } from './limits.ts'
import type { WalletConfig } from './store.ts'

/**
 * Parses a wallet's configuration from its settings.
 * @throws Error when a setting is unknown or invalid
 */
export function readWalletConfig(settings: Record<string, unknown>): WalletConfig {
  refuseUnknown(settings, ['limits', 'askAbove', 'withdrawalAddress', 'hooks', 'tokenLimits'], 'settings')
  const { limits, askAbove, withdrawalAddress = null, hooks, tokenLimits } = settings
  return {
    limits: readLimits(limits),
    askAbove: readAskAbove(askAbove),
    withdrawalAddress: withdrawalAddress === null ? null : String(withdrawalAddress),
    hooks: readHooks(hooks),
    tokenLimits: readTokenLimits(tokenLimits),
  }
}
