/**
 * The hidden characters: those that a terminal executes or a reader does not see. They are control characters,
 * direction marks, separators and format characters without a shape, tags and variation selectors. Joiners are not
 * included, because words and emoji need them. Line feed and tab are not included either; callers decide about them.
 *
 * Every untrusted text is handled with this set: `escapeHidden` keeps the text's value, `toPrintable` replaces the
 * characters.
 *
 * The set is written as ranges of UTF-16 units, because properties (`\p{Cf}`) would make the search of every JSON
 * answer four times slower.
 */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|\udb40[\udc00-\uddef]/g
