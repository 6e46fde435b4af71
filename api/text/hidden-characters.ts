/**
 * What a terminal obeys or a reader does not see: control characters, marks that turn the direction of writing,
 * separators and formats without a shape, tags and the selectors that can carry text unseen. The one set for every text
 * of outsiders; `escapeHidden` keeps the value, `toPrintable` replaces. Line feed and tab are left to them. The
 * joiners are not in it: words and emoji are written with them.
 *
 * Ranges of UTF-16 units: with properties (`\p{Cf}`) every JSON answer would take four times as long to search.
 */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|\udb40[\udc00-\uddef]/g
