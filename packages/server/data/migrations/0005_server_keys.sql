CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"key" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
