import type { ForwarderPlace } from '../bound-call.ts'
import type { SignedText } from './signed-text.ts'

/**
 * Returns the message (EIP-191) by which a wallet switches consent on or off. The text does not contain the prefix
 * `<service>:`. While consent is on, the service accepts a payment of the wallet only if the payment names the paid
 * HTTP request.
 *
 * Example: `consent:off:8453:0xb2..:0x77..:1767225600`. The parts after `off` are the chain id, the forwarder, the
 * wallet and the time of signing.
 * @param timestamp time of signing, Unix seconds
 */
export function consentText(
  { chainId, forwarder }: ForwarderPlace,
  { wallet, isRequired, timestamp }: { wallet: string; isRequired: boolean; timestamp: number | bigint | string },
): SignedText {
  const to = isRequired ? 'on' : 'off'
  return `consent:${to}:${chainId}:${forwarder.toLowerCase()}:${wallet.toLowerCase()}:${timestamp}`
}

/**
 * Returns the message (EIP-191) by which a wallet proves its identity for reads. The text does not contain the prefix
 * `<service>:`. A signature is valid at one host, until `expires`.
 *
 * Example: `read:8453:market.example:0x77..:1767225600`. The parts are the chain id, the host, the wallet and
 * `expires`.
 * @param expires end of the signature's validity, Unix seconds
 */
export function readIdentityText(
  { chainId, host }: { chainId: number; host: string },
  { wallet, expires }: { wallet: string; expires: number | bigint | string },
): SignedText {
  return `read:${chainId}:${host}:${wallet.toLowerCase()}:${expires}`
}

/**
 * Returns the message (EIP-191) by which a wallet proves its identity for reads. The text does not contain the prefix
 * `<service>:`. A signature is valid at every deployment and never expires.
 * Example: `read:0x77..`.
 */
export function lastingReadText(wallet: string): SignedText {
  return `read:${wallet.toLowerCase()}`
}

/**
 * Returns the message (EIP-191) by which a wallet registers a device. The text does not contain the prefix
 * `<service>:`. Example: `device-register:0x77..`.
 */
export function deviceText(wallet: string): SignedText {
  return `device-register:${wallet.toLowerCase()}`
}

/**
 * Returns the message (EIP-191) by which a wallet registers the destination of its withdrawals. The text does not
 * contain the prefix `<service>:`.
 * Example: `set-withdrawal-address:0x15d3..`.
 */
export function withdrawalAddressText(destination: string): SignedText {
  return `set-withdrawal-address:${destination.toLowerCase()}`
}

/**
 * Returns the message (EIP-191) by which a wallet requests its recovery code. The text does not contain the prefix
 * `<service>:`. The message is needed only for a withdrawal address that the operator imported, because the service
 * never showed a code for this address.
 * Example: `reveal-account-recovery-code:0x77..`.
 */
export function recoveryCodeText(wallet: string): SignedText {
  return `reveal-account-recovery-code:${wallet.toLowerCase()}`
}

/**
 * Returns the message (EIP-191) by which a curator approves or rejects a vault. The text does not contain the prefix
 * `<service>:`.
 *
 * Example: `curate:0x9f..:approved:1767225600`.
 * @param timestamp time of signing, Unix seconds
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

/** Changes of a webhook that a wallet can sign. */
export type WebhookVerb = 'create' | 'rotate' | 'resume' | 'test' | 'replay' | 'delete'

/**
 * Returns the message (EIP-191) by which a wallet changes a webhook. The text does not contain the prefix `<service>:`.
 * A signature is valid at one host only.
 *
 * Example: `webhook:create:8453:market.example:0x77..:9f86d0..:1767225600`. The parts after `create` are the chain id,
 * the host, the wallet, the subject and the time of signing.
 * @param subject for `create` the SHA-256 of the URL, 64 lower-case hex digits; for any other change the id of the
 * webhook
 * @param timestamp time of signing, Unix seconds
 */
export function webhookText(
  { chainId, host }: { chainId: number; host: string },
  { verb, wallet, subject, timestamp }: WebhookChange,
): SignedText {
  return `webhook:${verb}:${chainId}:${host}:${wallet.toLowerCase()}:${subject}:${timestamp}`
}

/** A change of a webhook, with the parts of the text that the wallet signs. */
export interface WebhookChange {
  verb: WebhookVerb
  wallet: string
  subject: string
  timestamp: number | bigint | string
}
