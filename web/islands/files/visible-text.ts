/** A stranger's text with its control and direction characters as escapes; line ends and tabs stay. */
export function showText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => {
    if (character === '\n' || character === '\t' || character === '\r') return character
    return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0') ?? ''}`
  })
}
