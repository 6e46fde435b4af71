import type { ForwarderPlace } from '../bound-call.ts'

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet demands that its payments name their request, or no longer does.
 *
 * Example: `consent:off:8453:0xb2..:0x77..:1767225600`.
 * @param timestamp Unix seconds
 */
export function consentText(
  { chainId, forwarder }: ForwarderPlace,
  { wallet, isRequired, timestamp }: { wallet: string; isRequired: boolean; timestamp: number | bigint | string },
): string {
  const to = isRequired ? 'on' : 'off'
  return `consent:${to}:${chainId}:${forwarder.toLowerCase()}:${wallet.toLowerCase()}:${timestamp}`
}

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet reads as itself, until it ends and at one host alone.
 *
 * Example: `read:8453:market.example:0x77..:1767225600`.
 * @param expires Unix seconds
 */
export function readIdentityText(
  { chainId, host }: { chainId: number; host: string },
  { wallet, expires }: { wallet: string; expires: number | bigint | string },
): string {
  return `read:${chainId}:${host}:${wallet.toLowerCase()}:${expires}`
}
