import { SERVICE_NAME } from '../payments/payment-text.ts'

/**
 * Makes the text by which a wallet registers where its withdrawals go.
 * Example: `service:set-withdrawal-address:0x15d3..`.
 */
export function withdrawalAddressMessage(destination: string): string {
  return `${SERVICE_NAME}:set-withdrawal-address:${destination.toLowerCase()}`
}
