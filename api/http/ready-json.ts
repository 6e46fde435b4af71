/** An answer that is JSON text already. */
export class ReadyJson {
  readonly text: string
  /** Its entity tag: another text, another tag. */
  readonly tag: string
  /** What it was made of, as `toStateText` has it; null: it is not to be kept. */
  readonly state: string | null

  constructor({ text, tag, state }: { text: string; tag: string; state: string | null }) {
    this.text = text
    this.tag = tag
    this.state = state
  }
}
