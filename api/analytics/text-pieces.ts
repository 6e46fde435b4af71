/**
 * Characters of a value that are converted at once: a value of a megabyte takes many steps, with other work between.
 */
export const PIECE_LENGTH = 32_768

const CARRIAGE_RETURN = 0x0d

/** The text in parts of at most PIECE_LENGTH characters. Neither a surrogate pair nor a CR LF is split; of '' none. */
export function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length; ) {
    const end = endOfPiece(text, from)
    yield text.slice(from, end)
    from = end
  }
}

function endOfPiece(text: string, from: number): number {
  const end = from + PIECE_LENGTH
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  const isFirstOfTwo = (last >= 0xd800 && last <= 0xdbff) || last === CARRIAGE_RETURN
  return isFirstOfTwo ? end - 1 : end
}
