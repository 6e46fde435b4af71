import type { LocalAccount } from 'viem'

/** Advice on transactions of an account that stay unmined. */
export const PENDING_ADVICE =
  'They may pay too little: replace them with the wallet that sent them, and run the same command again.'

/** Output of a command, and the account that signs for its owner. */
export interface RelayerIo {
  say: (line: string) => void
  /** Opens the account that the words name; null: they name none. */
  chooseSigner: () => Promise<LocalAccount | null>
}
