import type { Account } from '../../../client/src/index.ts'

/** A public test account of a local chain. */
export interface DemoWallet {
  role: string
  address: string
  account: Account
}
