import type { LocalAccount } from 'viem'

/** Output of a command, and the account that signs for its owner. */
export interface RelayerIo {
  say: (line: string) => void
  /** Opens what the words name; null: they name none. */
  chooseSigner: () => Promise<LocalAccount | null>
}
