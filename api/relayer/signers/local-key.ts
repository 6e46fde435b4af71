import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { SignerKind } from '../../../settings/signer-urls.ts'
import type { Relayer } from './relayer.ts'

/** Creates a relayer whose private key is in this process's memory. */
export function createLocalRelayer(privateKey: Hex, kind: SignerKind = 'raw'): Relayer {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address.toLowerCase() as Address,
    kind,
    isRemote: false,
    isReady: () => true,
    failures: () => 0,
    isBusy: () => false,
    whenFree: async () => {},
    inTurn: (work) => work(),
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559' }),
  }
}
