import type { LocalAccount } from 'viem'

/** Advice on transactions of an account that are not mined for long. */
export const PENDING_ADVICE =
  'They may pay too little: replace them with the wallet that sent them, and run the same command again.'

/** Output of a command, and the account that signs for its owner. */
export interface RelayerIo {
  say: (line: string) => void
  /** Opens what the words name; null: they name none. */
  chooseSigner: () => Promise<LocalAccount | null>
}
