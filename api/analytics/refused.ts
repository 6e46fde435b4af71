/** Why a query is not run: the message is a sentence for its client. */
export class Refused extends Error {
  /** Byte of the text, from 0, that it is about; null: of no place in particular. */
  readonly offset: number | null

  constructor(message: string, offset: number | null) {
    super(message)
    this.name = 'Refused'
    this.offset = offset
  }
}
