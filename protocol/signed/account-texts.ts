import type { ForwarderPlace } from '../bound-call.ts'
import type { SignedText } from './signed-text.ts'

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet demands that its payments name their request, or no longer does.
 *
 * Example: `consent:off:8453:0xb2..:0x77..:1767225600`.
 * @param timestamp Unix seconds
 */
export function consentText(
  { chainId, forwarder }: ForwarderPlace,
  { wallet, isRequired, timestamp }: { wallet: string; isRequired: boolean; timestamp: number | bigint | string },
): SignedText {
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
): SignedText {
  return `read:${chainId}:${host}:${wallet.toLowerCase()}:${expires}`
}

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet reads as itself at every deployment, without an end.
 * Example: `read:0x77..`.
 */
export function lastingReadText(wallet: string): SignedText {
  return `read:${wallet.toLowerCase()}`
}

/** The text (EIP-191, behind `<service>:`) by which a wallet registers a device. Example: `device-register:0x77..`. */
export function deviceText(wallet: string): SignedText {
  return `device-register:${wallet.toLowerCase()}`
}

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet registers the address that its withdrawals go to.
 * Example: `set-withdrawal-address:0x15d3..`.
 */
export function withdrawalAddressText(destination: string): SignedText {
  return `set-withdrawal-address:${destination.toLowerCase()}`
}

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet asks for the recovery code of an imported withdrawal address.
 * Example: `reveal-account-recovery-code:0x77..`.
 */
export function recoveryCodeText(wallet: string): SignedText {
  return `reveal-account-recovery-code:${wallet.toLowerCase()}`
}

/**
 * The text (EIP-191, behind `<service>:`) by which a curator approves or rejects a vault.
 *
 * Example: `curate:0x9f..:approved:1767225600`.
 * @param timestamp Unix seconds
 */
export function curationText({
  vaultId,
  status,
  timestamp,
}: {
  vaultId: string
  status: string
  timestamp: bigint
}): SignedText {
  return `curate:${vaultId.toLowerCase()}:${status}:${timestamp}`
}

/** The changes of webhooks that a wallet signs. */
export type WebhookVerb = 'create' | 'rotate' | 'resume' | 'test' | 'replay' | 'delete'

/**
 * The text (EIP-191, behind `<service>:`) by which a wallet changes a webhook, at one host alone.
 *
 * Example: `webhook:create:8453:market.example:0x77..:9f86d0..:1767225600`.
 * @param subject SHA-256 of the URL, 64 lower-case hex digits, of a creation; else the id of the webhook
 * @param timestamp Unix seconds
 */
export function webhookText(
  { chainId, host }: { chainId: number; host: string },
  { verb, wallet, subject, timestamp }: WebhookChange,
): SignedText {
  return `webhook:${verb}:${chainId}:${host}:${wallet.toLowerCase()}:${subject}:${timestamp}`
}

/** A change of a webhook as it is signed. */
export interface WebhookChange {
  verb: WebhookVerb
  wallet: string
  subject: string
  timestamp: number | bigint | string
}
