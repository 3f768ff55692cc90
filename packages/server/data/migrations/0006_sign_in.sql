CREATE TABLE "sign_in_accounts" (
	"project_id" text NOT NULL,
	"account" text NOT NULL,
	"metadata" jsonb,
	"created_at" bigint NOT NULL,
	"last_signed_in_at" bigint NOT NULL,
	CONSTRAINT "sign_in_accounts_project_id_account_pk" PRIMARY KEY("project_id","account")
);
--> statement-breakpoint
CREATE TABLE "sign_in_spent" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_spent_expires" ON "sign_in_spent" USING btree ("expires_at");