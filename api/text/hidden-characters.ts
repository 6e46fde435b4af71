/**
 * The hidden characters: control characters, direction marks, separators, shapeless format characters, tags and
 * variation selectors. Joiners, line feed and tab are not included. `escapeHidden` escapes hidden characters, and
 * `toPrintable` replaces them.
 *
 * The set is written as ranges of UTF-16 units. Properties such as `\p{Cf}` would make the search of a JSON answer four
 * times slower.
 */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|\udb40[\udc00-\uddef]/g
