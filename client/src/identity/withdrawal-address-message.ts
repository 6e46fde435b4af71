import { withdrawalAddressText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

/**
 * Makes the text by which a wallet registers where its withdrawals go.
 * Example: `service:set-withdrawal-address:0x15d3..`.
 */
export function withdrawalAddressMessage(destination: string): string {
  return toSignedMessage(SERVICE_NAME, withdrawalAddressText(destination))
}
