import { withdrawalAddressText } from '../../../protocol/signed/account-texts.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'

/**
 * Returns the text that a wallet signs to register its withdrawal address.
 *
 * Example: `withdrawalAddressMessage('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')` returns
 * `service:set-withdrawal-address:0x15d34aaf54267db7d7c367839aaf71a00a2c6a65`.
 */
export function withdrawalAddressMessage(destination: string): string {
  return toSignedMessage(SERVICE_NAME, withdrawalAddressText(destination))
}
