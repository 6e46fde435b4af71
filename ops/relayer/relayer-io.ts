import type { LocalAccount } from 'viem'

/** Advice that is printed while transactions of an account remain unmined. */
export const PENDING_ADVICE =
  'They may pay too little: replace them with the wallet that sent them, and run the same command again.'

/** The functions by which a command prints a line, and opens the account that signs or pays. */
export interface RelayerIo {
  say: (line: string) => void
  /** Opens the account that the command's arguments name. Returns null if the arguments name no account. */
  chooseSigner: () => Promise<LocalAccount | null>
}
