-- An empty language follows the browser. English was the default until now, so nobody is known to have chosen it.

ALTER TABLE users ALTER COLUMN language SET DEFAULT '';
UPDATE users SET language = '' WHERE language = 'en';
